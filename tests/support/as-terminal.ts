// If required first by a process whose output a test reads, makes the process write as to a terminal.

process.stdout.isTTY = true;
