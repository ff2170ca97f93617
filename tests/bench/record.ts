// The record that every server of the comparison answers with.

export const RECORD =
  'SELECT id, identity, date_created, date_updated, name, game_id, quantity FROM boxtop WHERE id = ?';

/** The properties that anyone sees. */
export function recordOf(row: object): object {
  const { date_created, date_updated } = row as { readonly date_created: number; readonly date_updated: number };
  return {
    ...row,
    object_type: 'boxtop',
    wing_object_type: 'boxtop',
    date_created: new Date(date_created).toISOString(),
    date_updated: new Date(date_updated).toISOString(),
  };
}
