// Cleans the name under which a stored file is served; it is never a path on this machine.

const LONGEST = 255;

/** The base name that the client sent, without control characters; `file` if nothing is left. */
export function fileName(sent: string): string {
  const base = sent.split(/[/\\]/).at(-1) ?? '';
  // Bidirectional marks can display "exe.gnp" as "png.exe".
  const clean = base
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  const cut = [...clean].slice(0, LONGEST).join('');
  return /^\.*$/.test(cut) ? 'file' : cut;
}
