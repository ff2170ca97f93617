/** Whether a value that came from JSON or YAML is an object: neither a list nor null. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
