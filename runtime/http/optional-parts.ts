// Parts of the HTTP layer that a server needs only for what its project has, or for what its operator has asked for. They are
// loaded when they are needed; `server/later-modules` sees to it that they can still be loaded while the server runs.

export const HTTP_PARTS = {
  version: () => require('./versions/version.js') as typeof import('./versions/version.js'),
  versionAnswers: () => require('./versions/answers.js') as typeof import('./versions/answers.js'),
  deprecations: () => require('./deprecations.js') as typeof import('./deprecations.js'),
  wingDocument: () => require('./wing-document.js') as typeof import('./wing-document.js'),
  cors: () => require('./cors.js') as typeof import('./cors.js'),
  metricsAccess: () => require('./metrics-access.js') as typeof import('./metrics-access.js'),
  readableLog: () => require('./readable-log.js') as typeof import('./readable-log.js'),
} as const;
