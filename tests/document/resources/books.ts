// Transcribes "Resources and their fields": booklets, coil books and their pages. coilbookpage is an addition of ours (D34).
import { constant, dates, gameId, id, identity, image, name, quantity } from '../conventions.js';
import type { DocumentedTable, Field } from '../table.js';

const pageCount: Field = { type: 'integer', readOnly: true, notes: 'number of pages; counted (D27)' };

export const booklet: DocumentedTable = {
  base: '/api/booklet',
  purpose: 'saddle-stitched booklet; size chosen by identity',
  constant: 'booklet',
  reportedAs: ['object_type'],
  identities: ['SmallBooklet', 'MediumBooklet', 'LargeBooklet', 'TallBooklet', 'TarotBooklet', 'JumboBooklet'],
  defaultIdentity: 'SmallBooklet',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    page_count: pageCount,
  },
  related: { game: 'game' },
  lists: { pages: 'bookletpage' },
};

export const bookletpage: DocumentedTable = {
  base: '/api/bookletpage',
  purpose: 'page of a booklet',
  constant: 'largebookletpage',
  reportedAs: ['object_type'],
  identities: null,
  defaultIdentity: null,
  fields: {
    id,
    ...constant('object_type'),
    ...dates,
    name,
    sequence_number: { type: 'integer', min: 1, max: 20, default: 1, notes: 'the page number; <page_order_field>' },
    booklet_id: {
      type: 'reference',
      to: 'booklet',
      notes: 'booklet the page belongs to; <booklet_reference_field>',
    },
    ...image('image', 'page image'),
  },
  related: { booklet: 'booklet' },
  lists: {},
};

export const coilbook: DocumentedTable = {
  base: '/api/coilbook',
  purpose: 'coil-bound book; size chosen by identity',
  constant: 'coilbook',
  reportedAs: ['object_type'],
  identities: ['JumboCoilBook', 'MediumCoilBook', 'MediumMatBook'],
  defaultIdentity: 'JumboCoilBook',
  fields: {
    id,
    identity,
    ...constant('object_type'),
    ...dates,
    name,
    game_id: gameId,
    quantity,
    page_count: pageCount,
  },
  related: { game: 'game' },
  lists: { pages: 'coilbookpage' },
};

export const coilbookpage: DocumentedTable = {
  base: '/api/coilbookpage',
  purpose: 'page of a coil book',
  constant: 'coilbookpage',
  reportedAs: ['object_type'],
  identities: null,
  defaultIdentity: null,
  fields: {
    id,
    ...constant('object_type'),
    ...dates,
    name,
    sequence_number: { type: 'integer', min: 1, max: 1000, default: 1, notes: 'the page number' },
    book_id: { type: 'reference', to: 'coilbook', notes: 'coil book the page belongs to (D27)' },
    coilbook_id: { type: 'reference', to: 'coilbook', readOnly: true, notes: 'same as book_id (D41)' },
    ...image('image', 'page image'),
  },
  related: { book: 'coilbook' },
  lists: {},
};
