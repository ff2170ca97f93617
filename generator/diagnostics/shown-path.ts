// Paths of descriptors as whoever gave the folder knows them. Touches no disk.

/** `spec/resources/x.yaml` to `project/spec/resources/x.yaml` where the folder was given as `project/spec`. */
export function shownPath(folder: string): (path: string) => string {
  const given = folder.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  return (path) => (given === '.' ? path.replace(/^[^/]*\//, '') : `${given}/${path.replace(/^[^/]*\//, '')}`);
}
