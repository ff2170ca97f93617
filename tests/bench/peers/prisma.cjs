// Express with Prisma in place of prepared statements, over its adapter for better-sqlite3.

const { PrismaBetterSqlite3 } = require('@prisma/adapter-better-sqlite3');
const { randomUUID } = require('node:crypto');
const { hashOf, open, shown, shownGame } = require('./database.cjs');
const { PrismaClient } = require('./prisma-client');
const { serve } = require('./routes.cjs');

const ANYONE = {
  id: true,
  identity: true,
  date_created: true,
  date_updated: true,
  name: true,
  game_id: true,
  quantity: true,
};

const [, , file, kind] = process.argv;
// The driver's default is not durable in this mode, and the adapter has no option for it.
open(file).close();
const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${file}` }) });

/** The row, if the user may edit it. */
const editable = (id, user) => prisma.boxtop.findFirst({ where: { id, game: { designer: { user_id: user } } } });

const store = {
  async userOf(authorization) {
    if (authorization === undefined) return null;
    const where = { id_hash: hashOf(authorization), expires: { gt: Date.now() } };
    return (await prisma.session.findUnique({ where }))?.user_id ?? null;
  },
  async find(id, user) {
    if (user === null) {
      const row = await prisma.boxtop.findUnique({ where: { id }, select: ANYONE });
      return row === null ? null : shown(row);
    }
    const row = await prisma.boxtop.findUnique({ where: { id }, include: { game: { include: { designer: true } } } });
    if (row === null) return null;
    const { game, ...box } = row;
    return shown({ ...box, may_edit: Number(game.designer.user_id === user) });
  },
  async findWithGame(id) {
    const row = await prisma.boxtop.findUnique({ where: { id }, select: { ...ANYONE, game: true } });
    if (row === null) return null;
    const { game, ...box } = row;
    return { ...shown(box), game: shownGame(game) };
  },
  async list(id, size) {
    const rows = await prisma.boxtop.findMany({
      where: { game_id: id },
      select: ANYONE,
      orderBy: { id: 'asc' },
      take: size,
    });
    return { items: rows.map(shown) };
  },
  async create({ name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 }, user) {
    const game = await prisma.game.findFirst({
      where: { id: game_id, designer: { user_id: user } },
      select: { id: true },
    });
    if (game === null) return null;
    const now = Date.now();
    const dates = { date_created: now, date_updated: now };
    const data = { id: randomUUID(), identity, ...dates, name, game_id, quantity, has_proofed_top: 0, top_id: null };
    return shown({ ...(await prisma.boxtop.create({ data })), may_edit: 1 });
  },
  async update(id, { name }, user) {
    if ((await editable(id, user)) === null) return null;
    const row = await prisma.boxtop.update({ where: { id }, data: { name, date_updated: Date.now() } });
    return shown({ ...row, may_edit: 1 });
  },
  async remove(id, user) {
    if ((await editable(id, user)) === null) return null;
    await prisma.boxtop.delete({ where: { id } });
    return { success: 1 };
  },
};

async function main() {
  await prisma.$queryRawUnsafe('PRAGMA synchronous = FULL');
  serve(store, kind);
}

main();
