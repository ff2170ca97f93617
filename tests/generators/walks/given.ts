// The input that each client gets on its command line, and how it reads records in both wire profiles.

export interface WalkInput {
  readonly baseUrl: string;
  readonly login: { readonly username: string; readonly password: string };
  /** A picture in base64. */
  readonly png: string;
}

export function given(): WalkInput {
  return JSON.parse(process.argv[2] ?? '') as WalkInput;
}

/** In the plain profile, a body is the record; in wing it is the `result`, as the generated types state. */
export function record<B extends object>(body: B): Record<B> {
  return ('result' in body ? body.result : body) as Record<B>;
}

export type Record<B> = B extends { result: infer R } ? R : B;
