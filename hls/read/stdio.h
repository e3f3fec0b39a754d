/* <stdio.h> */
#pragma once
#include <stdarg.h>
#include <stddef.h>
HLSMEM_C
typedef struct hlsmem_file FILE;
extern FILE *stdin, *stdout, *stderr;
int printf(const char *, ...), fprintf(FILE *, const char *, ...), sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...), scanf(const char *, ...);
int fscanf(FILE *, const char *, ...), sscanf(const char *, const char *, ...);
int vprintf(const char *, va_list), vfprintf(FILE *, const char *, va_list);
int puts(const char *), fputs(const char *, FILE *), putchar(int), fputc(int, FILE *);
int putc(int, FILE *), getchar(void), fgetc(FILE *), getc(FILE *), feof(FILE *), ferror(FILE *);
int fclose(FILE *), fflush(FILE *), fseek(FILE *, long, int), remove(const char *);
FILE *fopen(const char *, const char *);
char *fgets(char *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *), fwrite(const void *, size_t, size_t, FILE *);
long ftell(FILE *);
void rewind(FILE *), perror(const char *);
HLSMEM_END
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define stdin stdin
#define stdout stdout
#define stderr stderr
