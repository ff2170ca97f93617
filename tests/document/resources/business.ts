// Transcribes "Resources and their fields": designer associates, game downloads and web hooks.
// The dates of an associate and the creation date of a web hook follow from the conventions of all records.
import { described, gameId } from '../conventions.js';
import type { Field } from '../table.js';

const share: Field = {
  type: 'decimal',
  min: 0,
  max: 100,
  scale: 4,
  default: '0',
  view: 'editor',
  notes: 'fraction of profit the associate is entitled to, as a decimal string (D30)',
};

export const designerassociate = described('designerassociate', {
  purpose: 'designer associate',
  reportedAs: ['wing_object_type', 'object_type'],
  fields: {
    name: { type: 'text', readOnly: true, notes: "the user's name (D30)" },
    user_id: { type: 'reference', to: 'user', notes: 'the associate user' },
    designer_id: { type: 'reference', to: 'designer', notes: 'designer the associate belongs to' },
    share_percent: share,
    profit_share: { ...share, readOnly: true },
  },
  related: { user: 'user', designer: 'designer' },
});

export const gamedownload = described('gamedownload', {
  purpose: 'game download',
  reportedAs: ['wing_object_type', 'object_type'],
  fields: {
    name: { type: 'text', max: 255, notes: "the file's name unless given (D31)" },
    free: {
      type: 'bit',
      default: 0,
      notes: '1 means downloadable without purchasing the game, 0 means the game must be purchased first',
    },
    game_id: gameId,
    file_id: { type: 'reference', to: 'file', view: 'download', notes: 'the file' },
    file: { type: 'description', readOnly: true, view: 'download', whenSet: true, notes: 'related object file' },
    part: { type: 'description', readOnly: true, view: 'download', whenSet: true, notes: 'of the file (D31)' },
  },
  related: { game: 'game', file: 'file' },
});

/** Fields only; the operations come with the web hook module. */
export const webhook = described('webhook', {
  purpose: 'web hook subscription',
  fields: {
    user_id: { type: 'reference', to: 'user', readOnly: true, notes: 'the user who created it' },
    name: { type: 'text', readOnly: true, notes: 'the event (D30)' },
    owner_class: {
      type: 'enum',
      values: ['Designer', 'User'],
      notes: 'object class the subscriber must have edit access to',
    },
    owner_id: { type: 'text', max: 64, notes: 'instance of that class owned by the subscriber' },
    event: { type: 'enum', values: ['ItemSold', 'ReceiptRefunded', 'ReceiptShipped'], notes: 'event name' },
    callback_uri: { type: 'url', notes: 'endpoint receiving the HTTP POST' },
    api_key_id: { type: 'reference', to: 'apikey', notes: 'key used to sign the callback; <apikey_id_field>' },
    format: { type: 'enum', values: ['form', 'standard'], default: 'form', notes: 'how callbacks look (D63)' },
    api_version: { type: 'text', max: 10, default: 'default', notes: 'version of its messages (D68)' },
    failures_since_last_success: {
      type: 'integer',
      min: 0,
      default: 0,
      readOnly: true,
      notes: 'count of consecutive failed callbacks for this web hook',
    },
  },
  related: { user: 'user', api_key: 'apikey' },
});
