// An example of each command, which its help shows and a test runs (tests/cli/examples.test.ts). A command of commands shows those
// of its commands.

/** By the names of the command, `user add`; without any, that of the program. */
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

/** What the help of a command shows last; empty: there is no such command. @param names `user add` */
export function exampleText(names: string): string {
  const own = EXAMPLES[names];
  const below = Object.entries(EXAMPLES).filter(([other]) => names !== '' && other.startsWith(`${names} `));
  const lines = own === undefined ? below.map(([, line]) => line) : [own];
  return lines.length === 0
    ? ''
    : `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
}
