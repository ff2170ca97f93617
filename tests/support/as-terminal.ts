// Required first by a process whose output a test reads: makes it write as to a terminal.

process.stdout.isTTY = true;
