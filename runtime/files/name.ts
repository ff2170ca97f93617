// The name under which a stored file is served. Never a path on this machine.

const LONGEST = 255;

/** Base name of what an upload called itself, without control characters; `file` where nothing is left. */
export function fileName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  // Direction marks let "exe.gnp" be shown as "png.exe".
  const clean = base
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  const cut = [...clean].slice(0, LONGEST).join('');
  return /^\.*$/.test(cut) ? 'file' : cut;
}
