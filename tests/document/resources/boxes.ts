// Transcribes "Resources and their fields": boxes, custom shapes, dice and score pads.
// The document has neither the identities of the last four (D29) nor the names in angle brackets (D27).
import { component, image, unproofed } from '../conventions.js';
import type { Field } from '../table.js';

export const twosidedbox = component('twosidedbox', {
  purpose: 'box with a top and a bottom',
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
    ...image('top', 'image printed on the top part'),
    ...image('bottom', 'image printed on the bottom part'),
  },
});

export const boxtop = component('boxtop', {
  purpose: 'box with a top only',
  reportedAs: ['wing_object_type', 'object_type'],
  identities: ['DeckBoxTopAndSide', 'LargeStoutBoxTop', 'MediumStoutBoxTopAndSide'],
  defaultIdentity: 'DeckBoxTopAndSide',
  fields: {
    ...image('top', 'image printed on the top part'),
  },
});

export const customcuttwosidedslugged = component('customcuttwosidedslugged', {
  purpose: 'custom-cut acrylic shape (meeple, token)',
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
    ...image('side1', 'side 1 image, optional'),
    ...image('side2', 'side 2 image, optional'),
    ...unproofed('cut', 'SVG cut file for the shape'),
  },
});

const sixSides: Record<string, Field> = {
  ...image('side1', 'side 1 image, optional'),
  ...image('side2', 'side 2 image, optional'),
  ...image('side3', 'further image property'),
  ...image('side4', 'further image property'),
  ...image('side5', 'further image property'),
  ...image('side6', 'further image property'),
};

export const customcolord6 = component('customcolord6', {
  purpose: 'custom colour six-sided die',
  identities: ['CustomColorD6'],
  defaultIdentity: 'CustomColorD6',
  fields: {
    diecolor: { type: 'text', max: 30, default: 'white', notes: 'colour before printing; <color_field>' },
    ...sixSides,
  },
});

export const customwoodd6 = component('customwoodd6', {
  purpose: 'custom engraved wooden six-sided die',
  identities: ['CustomWoodD6'],
  defaultIdentity: 'CustomWoodD6',
  fields: {
    diecolor: { type: 'text', max: 30, default: 'darkwood', notes: 'not in the document (D27)' },
    ...sixSides,
  },
});

export const scorepad = component('scorepad', {
  purpose: 'score pad',
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
    ...image('image', 'image printed on the pad'),
    page_count: {
      type: 'integer',
      values: [40, 60, 80, 100],
      default: 60,
      notes: 'number of pages; <page_count_field>',
    },
  },
});
