// Transcribes "Resources and their fields": boxes, custom shapes, dice and score pads.
// The document has neither the identities of the last four (D29) nor the names in angle brackets (D27).
import { constant, dates, gameId, id, identity, image, name, quantity, unproofed } from '../conventions.js';
import type { DocumentedTable, Field } from '../table.js';

export const twosidedbox: DocumentedTable = {
  base: '/api/twosidedbox',
  purpose: 'box with a top and a bottom',
  constant: 'twosidedbox',
  reportedAs: ['wing_object_type', 'object_type'],
  identities: [
    'DeckBox',
    'LargeRetailBox',
    'MediumProBox',
    'MediumStoutBox',
    'MintTin',
    'SmallProBox',
    'SmallStoutBox',
  ],
  defaultIdentity: 'DeckBox',
  fields: {
    id,
    identity,
    ...constant('wing_object_type', 'object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    ...image('top', 'image printed on the top part'),
    ...image('bottom', 'image printed on the bottom part'),
  },
  related: { game: 'game' },
  lists: {},
};

export const boxtop: DocumentedTable = {
  base: '/api/boxtop',
  purpose: 'box with a top only',
  constant: 'boxtop',
  reportedAs: ['wing_object_type', 'object_type'],
  identities: ['DeckBoxTopAndSide', 'LargeStoutBoxTop', 'MediumStoutBoxTopAndSide'],
  defaultIdentity: 'DeckBoxTopAndSide',
  fields: {
    id,
    identity,
    ...constant('wing_object_type', 'object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    ...image('top', 'image printed on the top part'),
  },
  related: { game: 'game' },
  lists: {},
};

export const customcuttwosidedslugged: DocumentedTable = {
  base: '/api/customcuttwosidedslugged',
  purpose: 'custom-cut acrylic shape (meeple, token)',
  constant: 'customcuttwosidedslugged',
  reportedAs: ['object_type'],
  identities: [
    'CustomSmallPunchout',
    'CustomMediumPunchout',
    'CustomLargePunchout',
    'CustomMiniCardstock',
    'CustomSmallCardstock',
    'CustomMediumCardstock',
    'CustomLargeCardstock',
  ],
  defaultIdentity: 'CustomSmallPunchout',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    ...image('side1', 'side 1 image, optional'),
    ...image('side2', 'side 2 image, optional'),
    ...unproofed('cut', 'SVG cut file for the shape'),
  },
  related: { game: 'game' },
  lists: {},
};

const sixSides: Record<string, Field> = {
  ...image('side1', 'side 1 image, optional'),
  ...image('side2', 'side 2 image, optional'),
  ...image('side3', 'further image property'),
  ...image('side4', 'further image property'),
  ...image('side5', 'further image property'),
  ...image('side6', 'further image property'),
};

export const customcolord6: DocumentedTable = {
  base: '/api/customcolord6',
  purpose: 'custom colour six-sided die',
  constant: 'customcolord6',
  reportedAs: ['object_type'],
  identities: ['CustomColorD6'],
  defaultIdentity: 'CustomColorD6',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    diecolor: { type: 'text', max: 30, default: 'white', notes: 'colour before printing; <color_field>' },
    ...sixSides,
  },
  related: { game: 'game' },
  lists: {},
};

export const customwoodd6: DocumentedTable = {
  base: '/api/customwoodd6',
  purpose: 'custom engraved wooden six-sided die',
  constant: 'customwoodd6',
  reportedAs: ['object_type'],
  identities: ['CustomWoodD6'],
  defaultIdentity: 'CustomWoodD6',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    diecolor: { type: 'text', max: 30, default: 'darkwood', notes: 'not in the document (D27)' },
    ...sixSides,
  },
  related: { game: 'game' },
  lists: {},
};

export const scorepad: DocumentedTable = {
  base: '/api/scorepad',
  purpose: 'score pad',
  constant: 'scorepad',
  reportedAs: ['object_type'],
  identities: [
    'SmallScorePad',
    'MediumScorePad',
    'LargeScorePad',
    'SmallScorePadColor',
    'MediumScorePadColor',
    'LargeScorePadColor',
  ],
  defaultIdentity: 'SmallScorePad',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    ...image('image', 'image printed on the pad'),
    page_count: {
      type: 'integer',
      values: [40, 60, 80, 100],
      default: 60,
      notes: 'number of pages; <page_count_field>',
    },
  },
  related: { game: 'game' },
  lists: {},
};
