// Lists of a game by identity, `GET /api/game/<id>/<name>` (D23): the resource and identity of each list, with names that
// clients of such services know. The lists by resource are in resources.ts (`lists`).
import type { DocumentedName } from './table.js';

export type ByIdentity = Readonly<Record<string, string>>;

/** Resource, list name, identity. */
export const gameLists: Readonly<Partial<Record<DocumentedName, ByIdentity>>> = {
  twosidedsluggedset: {
    arrowchits: 'ArrowChit',
    bullseyechits: 'BullseyeChit',
    circleshards: 'CircleShard',
    dominochits: 'DominoChit',
    dominotiles: 'DominoTile',
    hexshards: 'HexShard',
    largecirclechits: 'LargeCircleChit',
    largehextiles: 'LargeHexTile',
    largerings: 'LargeRing',
    largesquarechits: 'LargeSquareChit',
    largesquaretiles: 'LargeSquareTile',
    largestandees: 'LargeStandee',
    mediumcirclechits: 'MediumCircleChit',
    mediumhextiles: 'MediumHexTile',
    mediumrings: 'MediumRing',
    mediumsquarechits: 'MediumSquareChit',
    mediumsquaretiles: 'MediumSquareTile',
    mediumstandees: 'MediumStandee',
    mediumtrianglechits: 'MediumTriangleChit',
    minicircletiles: 'MiniCircleTile',
    minihextiles: 'MiniHexTile',
    minisquaretiles: 'MiniSquareTile',
    smallcirclechits: 'SmallCircleChit',
    smallhextiles: 'SmallHexTile',
    smallrings: 'SmallRing',
    smallsquarechits: 'SmallSquareChit',
    smallsquaretiles: 'SmallSquareTile',
    smallstandees: 'SmallStandee',
    squareshards: 'SquareShard',
    stripchits: 'StripChit',
    tombstoneshards: 'TombstoneShard',
    triangletiles: 'TriangleTile',
  },
  twosidedbox: {
    deckboxes: 'DeckBox',
    largeretailboxes: 'LargeRetailBox',
    mediumproboxes: 'MediumProBox',
    mediumstoutboxes: 'MediumStoutBox',
    minttins: 'MintTin',
    smallproboxes: 'SmallProBox',
    smallstoutboxes: 'SmallStoutBox',
  },
  boxtop: {
    deckboxtopandsides: 'DeckBoxTopAndSide',
    largestoutboxtops: 'LargeStoutBoxTop',
    mediumstoutboxtopandsides: 'MediumStoutBoxTopAndSide',
  },
  onesidedsluggedset: {
    dicestickers: 'DiceSticker',
    meeplestickers: 'MeepleSticker',
    pawnstickers: 'PawnSticker',
    tokenstickers: 'TokenSticker',
  },
  customcuttwosidedslugged: {
    customsmallpunchouts: 'CustomSmallPunchout',
    custommediumpunchouts: 'CustomMediumPunchout',
    customlargepunchouts: 'CustomLargePunchout',
    customminicardstock: 'CustomMiniCardstock',
    customsmallcardstock: 'CustomSmallCardstock',
    custommediumcardstock: 'CustomMediumCardstock',
    customlargecardstock: 'CustomLargeCardstock',
  },
  // The dice have one identity each; customcolord6s and customwoodd6s are their lists by resource.
  scorepad: {
    smallscorepads: 'SmallScorePad',
    mediumscorepads: 'MediumScorePad',
    largescorepads: 'LargeScorePad',
    smallscorepadcolors: 'SmallScorePadColor',
    mediumscorepadcolors: 'MediumScorePadColor',
    largescorepadcolors: 'LargeScorePadColor',
  },
  booklet: {
    smallbooklets: 'SmallBooklet',
    mediumbooklets: 'MediumBooklet',
    largebooklets: 'LargeBooklet',
    tallbooklets: 'TallBooklet',
    tarotbooklets: 'TarotBooklet',
    jumbobooklets: 'JumboBooklet',
  },
  coilbook: {
    jumbocoilbooks: 'JumboCoilBook',
    mediumcoilbooks: 'MediumCoilBook',
    mediummatbooks: 'MediumMatBook',
  },
};
