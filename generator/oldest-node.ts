// The oldest Node that the program runs on (D67): that of `engines` in package.json. Imports nothing, since another Node may not
// load anything else.

const OLDEST = [20, 19] as const;

/** Why it cannot run on a version of Node, in one line; null: it can. */
export function problemOfNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  return `Node ${version} is too old: version ${OLDEST.join('.')} is the oldest on which this program runs`;
}
