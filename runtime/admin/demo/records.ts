// The records of the demo, in the order in which they are created. All names are invented.

import { pngSquare, SVG_HEXAGON } from './images.js';

export interface DemoRecord {
  readonly resource: string;
  /** The name by which later records refer to it; the resource's name by default. */
  readonly key?: string;
  readonly upload?: { readonly name: string; readonly bytes: Buffer };
  /** @param id the id of an earlier record by its key */
  parameters(id: (key: string) => string | undefined): Readonly<Record<string, unknown>>;
}

const of =
  (parameters: Readonly<Record<string, unknown>>, references: Readonly<Record<string, string>>) =>
  (id: (key: string) => string | undefined) => ({
    ...parameters,
    ...Object.fromEntries(Object.entries(references).map(([name, key]) => [name, id(key)])),
  });

const file = (key: string, name: string, bytes: Buffer): DemoRecord => ({
  resource: 'file',
  key,
  upload: { name, bytes },
  parameters: of({}, { folder_id: 'folder' }),
});

/** A component of the game. */
const part = (
  resource: string,
  name: string,
  references: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, unknown>> = {},
): DemoRecord => ({ resource, parameters: of({ name, ...more }, { game_id: 'game', ...references }) });

export const DEMO_RECORDS: readonly DemoRecord[] = [
  { resource: 'designer', parameters: of({ name: 'Lantern Games' }, {}) },
  { resource: 'apikey', parameters: of({ name: 'Demo client' }, {}) },
  { resource: 'game', parameters: of({ name: 'Harbour Lights' }, { designer_id: 'designer' }) },
  { resource: 'folder', parameters: of({ name: 'Artwork' }, {}) },
  file('red', 'red.png', pngSquare(200, 40, 40)),
  file('blue', 'blue.png', pngSquare(40, 80, 200)),
  file('hexagon', 'hexagon.svg', SVG_HEXAGON),

  part('twosidedsluggedset', 'Harbour tiles', { back_id: 'blue' }, { identity: 'HexShard', quantity: 1 }),
  {
    resource: 'twosidedslugged',
    parameters: of({ name: 'Pier', quantity: 2 }, { set_id: 'twosidedsluggedset', face_id: 'red' }),
  },
  part('onesidedsluggedset', 'Pawn stickers', {}, { identity: 'PawnSticker' }),
  {
    resource: 'onesidedslugged',
    parameters: of({ name: 'Captain' }, { set_id: 'onesidedsluggedset', face_id: 'red' }),
  },
  part('twosidedbox', 'Game box', { top_id: 'red', bottom_id: 'blue' }, { identity: 'MediumStoutBox' }),
  part('boxtop', 'Box wrap', { top_id: 'red' }, { has_proofed_top: true }),
  part('customcuttwosidedslugged', 'Ship', { side1_id: 'red', side2_id: 'blue', cut_id: 'hexagon' }, { quantity: 4 }),
  part('customcolord6', 'Weather die', { side1_id: 'red', side2_id: 'blue' }, { diecolor: 'white' }),
  part('customwoodd6', 'Cargo die', { side1_id: 'red' }),
  part('scorepad', 'Score sheets', { image_id: 'blue' }, { page_count: 40 }),
  part('booklet', 'Rules'),
  {
    resource: 'bookletpage',
    parameters: of({ name: 'Setup', sequence_number: 1 }, { booklet_id: 'booklet', image_id: 'blue' }),
  },
  part('coilbook', 'Scenarios'),
  { resource: 'coilbookpage', parameters: of({ name: 'First voyage' }, { book_id: 'coilbook', image_id: 'red' }) },
  { resource: 'gamedownload', parameters: of({ free: true }, { game_id: 'game', file_id: 'hexagon' }) },
  {
    resource: 'designerassociate',
    parameters: of({ share_percent: '12.5' }, { designer_id: 'designer', user_id: 'associate' }),
  },
];
