// The oldest Node that the program runs on (D67), as in `engines` of package.json. Imports nothing, since an older Node may not
// be able to load anything else.

const OLDEST = [20, 19] as const;

/** Why it cannot run on a version of Node, in one line; null if it can. */
export function problemOfNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  return `Node ${version} is too old: version ${OLDEST.join('.')} is the oldest on which this program runs`;
}
