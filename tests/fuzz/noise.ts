// Bytes that are not an HTTP request, or hardly one.

const lines = (...all: readonly string[]): Buffer => Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1');
const HOST = 'Host: x';

export const NOISE: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.alloc(70_000),
  Buffer.alloc(20_000, 'A'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.from('GET\r\n'),
  // The first bytes of TLS, HTTP/2 and SSH.
  Buffer.from('160301020001000001fc0303', 'hex'),
  lines('PRI * HTTP/2.0', '', 'SM'),
  lines('SSH-2.0-OpenSSH_9.6'),
  lines('GET /'),
  lines('GET / HTTP/1.1'),
  lines('GET / HTTP/1.1', HOST, HOST),
  lines('GET  /  HTTP/1.1', HOST),
  lines('GET / HTTP/1.1', HOST, ' folded: x'),
  lines('GET / HTTP/1.1', HOST, 'Bad Name: x'),
  lines('GET / HTTP/1.1', HOST, ': x'),
  lines('GET / HTTP/1.1', HOST, 'A: \0'),
  lines('GET / HTTP/1.1', HOST, `A: ${'x'.repeat(17_000)}`),
  lines(`GET /${'x'.repeat(70_000)} HTTP/1.1`, HOST),
  lines('FROBNICATE / HTTP/1.1', HOST),
  lines('CONNECT x:443 HTTP/1.1', HOST),
  lines('OPTIONS * HTTP/1.1', HOST),
  lines('TRACE /api/user/x HTTP/1.1', HOST, 'Max-Forwards: 0'),
  lines('POST /api/user HTTP/1.1', HOST, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
  lines('POST /api/user HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: chunked, chunked'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: gzip'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', 'zz', '{}', '0'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', 'ffffffffffffffff', '{}'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', `1;${'x'.repeat(20_000)}`, '{', '0'),
  lines('POST /api/user HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', '2', '{}', '0', 'Trailer: \xff'),
  lines(
    'POST /api/file HTTP/1.1',
    HOST,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 500',
    '',
    '--b',
  ),
];
