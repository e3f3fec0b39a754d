"""Memories with addresses: RAMs copied for their readers, and registers."""
