// Transcribes "Resources and their fields" as one table, by resource. Written by hand from the document and DECISIONS rows.
import * as around from './resources/around.js';
import { booklet, bookletpage, coilbook, coilbookpage } from './resources/books.js';
import * as boxes from './resources/boxes.js';
import { designerassociate, gamedownload, webhook } from './resources/business.js';
import { onesidedslugged, onesidedsluggedset, twosidedslugged, twosidedsluggedset } from './resources/sets.js';
import type { AroundName, DocumentedName, DocumentedTable, RecordName } from './table.js';

/** The 15 resources of the document. */
export const documented: Readonly<Record<DocumentedName, DocumentedTable>> = {
  twosidedsluggedset,
  twosidedslugged,
  twosidedbox: boxes.twosidedbox,
  boxtop: boxes.boxtop,
  onesidedsluggedset,
  customcuttwosidedslugged: boxes.customcuttwosidedslugged,
  customcolord6: boxes.customcolord6,
  customwoodd6: boxes.customwoodd6,
  scorepad: boxes.scorepad,
  booklet,
  bookletpage,
  coilbook,
  designerassociate,
  gamedownload,
  webhook,
};

/** The records around them. */
export const supporting: Readonly<Record<AroundName, DocumentedTable>> = { ...around, onesidedslugged, coilbookpage };

export const records: Readonly<Record<RecordName, DocumentedTable>> = { ...documented, ...supporting };
