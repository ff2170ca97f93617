// Transcribes "Resources and their fields": sets of slugged pieces and their members. onesidedslugged is our addition (D34).
import { component, described, identityOfSet, image, name, quantity } from '../conventions.js';

export const twosidedsluggedset = component('twosidedsluggedset', {
  purpose: 'set of two-sided pieces such as mats and boards; has members',
  identities: [
    'ArrowChit',
    'BullseyeChit',
    'CircleShard',
    'DominoChit',
    'DominoTile',
    'HexShard',
    'LargeCircleChit',
    'LargeHexTile',
    'LargeRing',
    'LargeSquareChit',
    'LargeSquareTile',
    'LargeStandee',
    'MediumCircleChit',
    'MediumHexTile',
    'MediumRing',
    'MediumSquareChit',
    'MediumSquareTile',
    'MediumStandee',
    'MediumTriangleChit',
    'MiniCircleTile',
    'MiniHexTile',
    'MiniSquareTile',
    'SmallCircleChit',
    'SmallHexTile',
    'SmallRing',
    'SmallSquareChit',
    'SmallSquareTile',
    'SmallStandee',
    'SquareShard',
    'StripChit',
    'TombstoneShard',
    'TriangleTile',
  ],
  defaultIdentity: 'ArrowChit',
  fields: {
    ...image('back', 'back image'),
  },
  lists: { members: 'twosidedslugged' },
});

export const twosidedslugged = described('twosidedslugged', {
  purpose: 'two-sided piece (chit, tile, shard) belonging to a set',
  fields: {
    identity: identityOfSet,
    name,
    set_id: { type: 'reference', to: 'twosidedsluggedset', notes: 'set the piece belongs to; <set_reference_field>' },
    quantity: { ...quantity, notes: 'copies within the set' },
    ...image('face', 'face image'),
    ...image('back', 'back image'),
    back_from_set: {
      type: 'boolean',
      view: 'editor',
      default: true,
      notes: 'whether the back image is taken from the set or from this piece; <back_source_flag>',
    },
  },
  related: { set: 'twosidedsluggedset' },
});

export const onesidedsluggedset = component('onesidedsluggedset', {
  purpose: 'set of one-sided pieces; has members',
  identities: ['DiceSticker', 'MeepleSticker', 'PawnSticker', 'TokenSticker'],
  defaultIdentity: 'DiceSticker',
  lists: { members: 'onesidedslugged' },
});

export const onesidedslugged = described('onesidedslugged', {
  purpose: 'one-sided piece belonging to a set',
  fields: {
    identity: identityOfSet,
    name,
    set_id: { type: 'reference', to: 'onesidedsluggedset', notes: 'set the piece belongs to' },
    quantity: { ...quantity, notes: 'copies within the set' },
    ...image('face', 'face image'),
  },
  related: { set: 'onesidedsluggedset' },
});
