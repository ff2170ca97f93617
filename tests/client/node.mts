// Runs everyOperation in a Node of its own. Arguments: the setting as JSON; prints the report.

import { everyOperation, type Package, type Setting } from './every-operation.mjs';

const address = new URL('../../../generated/client/index.js', import.meta.url).href;
const client = (await import(address)) as Package;
console.log(JSON.stringify(await everyOperation(client, JSON.parse(process.argv[2] ?? '') as Setting)));
