// Paths of descriptors relative to the folder that was passed on the command line. Pure: no file is read.

/** `spec/resources/x.yaml` to `project/spec/resources/x.yaml` if the folder is `project/spec`. */
export function shownPath(folder: string): (path: string) => string {
  const base = folder.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  return (path) => (base === '.' ? path.replace(/^[^/]*\//, '') : `${base}/${path.replace(/^[^/]*\//, '')}`);
}
