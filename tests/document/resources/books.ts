// Transcribes "Resources and their fields": booklets, coil books and their pages. coilbookpage is an addition of ours (D34).
import { component, described, image, name } from '../conventions.js';
import type { Field } from '../table.js';

const pageCount: Field = { type: 'integer', readOnly: true, notes: 'number of pages; counted (D27)' };

export const booklet = component('booklet', {
  purpose: 'saddle-stitched booklet; size chosen by identity',
  identities: ['SmallBooklet', 'MediumBooklet', 'LargeBooklet', 'TallBooklet', 'TarotBooklet', 'JumboBooklet'],
  defaultIdentity: 'SmallBooklet',
  fields: {
    page_count: pageCount,
  },
  lists: { pages: 'bookletpage' },
});

export const bookletpage = described('bookletpage', {
  purpose: 'page of a booklet',
  constant: 'largebookletpage',
  fields: {
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
});

export const coilbook = component('coilbook', {
  purpose: 'coil-bound book; size chosen by identity',
  identities: ['JumboCoilBook', 'MediumCoilBook', 'MediumMatBook'],
  defaultIdentity: 'JumboCoilBook',
  fields: {
    page_count: pageCount,
  },
  lists: { pages: 'coilbookpage' },
});

export const coilbookpage = described('coilbookpage', {
  purpose: 'page of a coil book',
  fields: {
    name,
    sequence_number: { type: 'integer', min: 1, max: 1000, default: 1, notes: 'the page number' },
    book_id: { type: 'reference', to: 'coilbook', notes: 'coil book the page belongs to (D27)' },
    coilbook_id: { type: 'reference', to: 'coilbook', readOnly: true, notes: 'same as book_id (D41)' },
    ...image('image', 'page image'),
  },
  related: { book: 'coilbook' },
});
