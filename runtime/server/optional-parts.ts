// Parts of a server that only some options or databases need, loaded when a start needs them.

export const SERVER_PARTS = {
  site: () => require('../admin/console/console.js') as typeof import('../admin/console/console.js'),
  console: () => require('./console.js') as typeof import('./console.js'),
  figures: () => require('../admin/console/figures.js') as typeof import('../admin/console/figures.js'),
  recentErrors: () =>
    require('../admin/console/recent-errors.js') as typeof import('../admin/console/recent-errors.js'),
  backups: () => require('./backup-folder.js') as typeof import('./backup-folder.js'),
  portal: () => require('./portal.js') as typeof import('./portal.js'),
  quota: () => require('./quota.js') as typeof import('./quota.js'),
  versionMetrics: () => require('./version-metrics.js') as typeof import('./version-metrics.js'),
  databaseMetrics: () => require('./database-metrics.js') as typeof import('./database-metrics.js'),
  workers: () => require('./processes/primary.js') as typeof import('./processes/primary.js'),
} as const;
