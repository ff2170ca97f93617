// Parses the address of a bucket for files: s3://bucket/prefix?region=…&endpoint=https://…&path-style=true.

import { StartError } from '../store/start-error.js';

export interface BucketAddress {
  readonly bucket: string;
  /** The beginning of every key; empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: as the AWS SDK is configured, for instance by AWS_REGION. */
  readonly region: string | null;
  /** Null: as the AWS SDK is configured, or Amazon's own. */
  readonly endpoint: string | null;
  /** Whether the bucket's name goes into the path of requests instead of the host. */
  readonly pathStyle: boolean;
}

const PARAMETERS = ['region', 'endpoint', 'path-style'];

/** @param place not the path of a folder. Throws StartError. */
export function bucketAddress(place: string): BucketAddress {
  const url = URL.canParse(place) ? new URL(place) : null;
  if (url?.protocol !== 's3:' || url.host === '') {
    throw refused('is neither a path nor like s3://bucket/prefix');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(
      'has credentials, which the list of processes would show: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead',
    );
  }
  if (!/^[\w.!*'()/-]*$/.test(url.pathname) || url.hash !== '') {
    throw refused("may have only letters, digits and any of _.!*'()-/ after the bucket");
  }
  return { bucket: url.host, prefix: prefixOf(url.pathname), ...parametersOf(url.searchParams) };
}

function prefixOf(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `${inner}/`;
}

function parametersOf(parameters: URLSearchParams): Pick<BucketAddress, 'region' | 'endpoint' | 'pathStyle'> {
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw refused(`has the parameter ${unknown}: known are ${PARAMETERS.join(', ')}`);
  const endpoint = parameters.get('endpoint');
  if (endpoint !== null && !isWebAddress(endpoint)) throw refused('needs an endpoint like https://host');
  const pathStyle = parameters.get('path-style') ?? 'false';
  if (!['true', 'false'].includes(pathStyle)) throw refused('needs path-style to be true or false');
  return { region: parameters.get('region'), endpoint, pathStyle: pathStyle === 'true' };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

function refused(reason: string): StartError {
  return new StartError(`--files ${reason}`);
}
