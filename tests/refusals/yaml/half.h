int nobody_reads_this;
