// The records with which every server of the comparison answers.

export const COLUMNS = 'id, identity, date_created, date_updated, name, game_id, quantity';
export const RECORD = `SELECT ${COLUMNS} FROM boxtop WHERE id = ?`;
/** The properties of a game that anyone sees. */
export const GAME = `SELECT id, date_created, date_updated, name, designer_id, description, short_description, sku_id, shop_uri, uri_part,
  cool_factor_1, cool_factor_2, cool_factor_3, website_uri, logo_id, backdrop_id, advertisement_id, category, min_age, play_time, min_players,
  max_players, enable_uv_coating, enable_linen_texture, public FROM game WHERE id = ?`;

/** The properties that anyone sees. */
export function recordOf(row: object): object {
  return { ...row, object_type: 'boxtop', wing_object_type: 'boxtop', ...datesOf(row) };
}

export function gameOf(row: object): object {
  const { id, enable_uv_coating, enable_linen_texture, public: isPublic } = row as Readonly<Record<string, unknown>>;
  return {
    ...row,
    object_type: 'game',
    ...datesOf(row),
    enable_uv_coating: enable_uv_coating === 1,
    enable_linen_texture: enable_linen_texture === 1,
    public: isPublic === 1,
    edit_uri: `/make/games/${id}`,
  };
}

function datesOf(row: object): object {
  const { date_created, date_updated } = row as { readonly date_created: number; readonly date_updated: number };
  return { date_created: new Date(date_created).toISOString(), date_updated: new Date(date_updated).toISOString() };
}
