// Reads the descriptors in a Markdown text as files: each starts with its path, or is written by a here-document.

export interface DescriptorFile {
  /** `spec/resources/board.yaml`. */
  readonly path: string;
  readonly text: string;
}

export function descriptors(markdown: string): readonly DescriptorFile[] {
  const blocks = [...markdown.matchAll(/^```yaml\n# (spec\/\S+\.yaml)\n([\s\S]*?)^```$/gm)];
  const typed = [...markdown.matchAll(/^\$ cat > (spec\/\S+\.yaml) <<'EOF'\n([\s\S]*?)^EOF$/gm)];
  return [...blocks, ...typed].map(([, path = '', text = '']) => ({ path, text }));
}
