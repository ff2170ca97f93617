// The example of each command, which its help shows and tests/cli/examples.test.ts runs. The help of a group, such as `user`, shows
// the examples of its commands.

/** Examples by the full name of the command, such as `user add`; the empty name is the program itself. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  '': 'punchboard help user add',
  gen: 'punchboard gen --check --diff',
  check: 'punchboard check --fix',
  explain: 'punchboard explain user.username',
  list: 'punchboard list user',
  graph: 'punchboard graph --fields > model.mmd',
  new: 'punchboard new album --like user',
  init: 'punchboard init my-service',
  dev: 'punchboard dev --port 8080',
  test: 'punchboard test user',
  impact: 'punchboard impact --base HEAD --format markdown',
  'version cut': 'punchboard version cut 2027-01-15',
  'version list': 'punchboard version list',
  'version show': 'punchboard version show 2027-01-15',
  'version diff': 'punchboard version diff 2027-01-15',
  'version drop': 'punchboard version drop 2025-01-15',
  serve: 'punchboard serve --console --webhook-allow-cidrs 127.0.0.0/8',
  openapi: 'punchboard openapi --wire wing > openapi.json',
  'user add': "echo 'correct horse' | punchboard user add --username ada --admin --password-stdin",
  'user passwd': "echo 'battery staple' | punchboard user passwd --username bob --password-stdin",
  'user list': 'punchboard user list --format json',
  'user admin': 'punchboard user admin --username bob',
  'user role': 'punchboard user role support --username bob',
  'user disable': 'punchboard user disable --username bob',
  'user enable': 'punchboard user enable --username bob',
  'key add': 'punchboard key add --username ada --name "Nightly export" --scope write',
  'key list': 'punchboard key list --username ada',
  'key renew': 'punchboard key renew $KEY',
  'key revoke': 'punchboard key revoke $KEY',
  audit: 'punchboard audit --name ada --limit 10',
  'migrate status': 'punchboard migrate status',
  'migrate plan': 'punchboard migrate plan --format json',
  'migrate rehearse': 'punchboard migrate rehearse',
  'migrate apply': 'punchboard migrate apply --allow drop:user.email',
  'migrate adopt': 'punchboard migrate adopt --plan',
  'migrate restore': 'punchboard migrate restore user.email',
  'migrate purge': 'punchboard migrate purge --before 2026-01-31',
  copy: 'punchboard copy --from data/punchboard.db --to copied.db --files-from data/files --files-to copied',
  import: 'punchboard import records.ndjson --username ada',
  completion: 'eval "$(punchboard completion bash)"',
  backup: 'punchboard backup backups/monday',
  restore: 'punchboard restore backups/monday --database restored.db --files restored',
  'webhooks list': 'punchboard webhooks list',
  'webhooks show': 'punchboard webhooks show $HOOK',
  'webhooks log': 'punchboard webhooks log $HOOK --limit 10',
  'webhooks deliveries': 'punchboard webhooks deliveries $HOOK --state waiting',
  'webhooks message': 'punchboard webhooks message $HOOK $DELIVERY',
  'webhooks retry': 'punchboard webhooks retry $HOOK --since 2026-01-31',
  'webhooks pause': 'punchboard webhooks pause $HOOK',
  'webhooks resume': 'punchboard webhooks resume $HOOK',
  'webhooks simulate': 'punchboard webhooks simulate --behaviour behaviour.json',
  listen: 'punchboard listen --secret $SECRET --answer 500,200 --count 2',
  'event publish': 'punchboard event publish --file event.json',
};

/** @returns the end of the help of a command; empty if there is no such command. @param name such as `user add` */
export function exampleText(name: string): string {
  const all = Object.entries(EXAMPLES).filter(([other]) => other === name || other.startsWith(`${name} `));
  if (all.length === 0) return '';
  return `\nExample${all.length === 1 ? '' : 's'}:\n${all.map(([, line]) => `  $ ${line}\n`).join('')}`;
}
