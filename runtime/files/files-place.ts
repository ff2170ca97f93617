// The place of uploaded files: the path of a folder, or the address of a bucket.

/** True for the path of a folder, false for an address, whether it is one of a bucket or not. */
export function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:\/\//i.test(place);
}
