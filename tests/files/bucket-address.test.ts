// The address of a bucket, as an operator writes it.

import { bucketAddress } from '../../runtime/files/bucket-address.js';
import { isFolder } from '../../runtime/files/files-place.js';

const plain = { bucket: 'prints', prefix: '', region: null, endpoint: null, pathStyle: false };

test.each([
  ['s3://prints', plain],
  ['s3://prints/', plain],
  ['S3://prints/a/b', { ...plain, prefix: 'a/b/' }],
  ['s3://prints//a/', { ...plain, prefix: 'a/' }],
  ['s3://prints?region=eu-west-1', { ...plain, region: 'eu-west-1' }],
  [
    's3://prints/a?endpoint=https://s3.example.com&path-style=true',
    { ...plain, prefix: 'a/', endpoint: 'https://s3.example.com', pathStyle: true },
  ],
  ['s3://prints?endpoint=http%3A%2F%2F127.0.0.1%3A9000', { ...plain, endpoint: 'http://127.0.0.1:9000' }],
])('%s is a bucket', (place, address) => {
  expect(isFolder(place)).toBe(false);
  expect(bucketAddress(place)).toEqual(address);
});

test.each(['data/files', '/srv/files', 'C:\\files', './s3:', 's3:prints', '~/a b'])('%s is a path', (place) => {
  expect(isFolder(place)).toBe(true);
});

test.each([
  ['gs://prints', 'is neither a path nor like s3://bucket/prefix'],
  ['s3:///prints', 'is neither a path nor like s3://bucket/prefix'],
  ['s3://key:secret@prints', 'has credentials, which the list of processes would show'],
  ['s3://key@prints', 'has credentials, which the list of processes would show'],
  ['s3://prints/a#b', 'may have only letters, digits'],
  ['s3://prints/ä', 'may have only letters, digits'],
  ['s3://prints?acl=public', 'has the parameter acl: known are region, endpoint, path-style'],
  ['s3://prints?endpoint=s3.example.com', 'needs an endpoint like https://host'],
  ['s3://prints?endpoint=https://key:secret@host', 'needs an endpoint like https://host'],
  ['s3://prints?path-style=yes', 'needs path-style to be true or false'],
])('%s is refused', (place, reason) => {
  expect(isFolder(place)).toBe(false);
  expect(() => bucketAddress(place)).toThrow(reason);
  expect(() => bucketAddress(place)).not.toThrow('secret');
});
