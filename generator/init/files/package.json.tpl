{
  "name": "{{name}}",
  "version": "0.1.0",
  "private": true,
  "engines": { "node": ">=20.19" },
  "scripts": {
    "dev": "punchboard dev",
    "gen": "punchboard gen",
    "check": "punchboard gen --check",
    "test": "punchboard test",
    "start": "punchboard serve"
  },
  "dependencies": {
    "punchboard": "^{{version}}"
  },
  "devDependencies": {
    "@types/jest": "^30.0.0",
    "@types/node": "^20.19.43",
    "fast-check": "^4.10.2",
    "jest": "^30.5.2",
    "typescript": "^7.0.2"
  },
  "allowScripts": { "better-sqlite3": true }
}
