/** The columns of each CSV file that a load brings, in the file's order. The loading process writes them so
 *  (`src/ingest/sync/loader/month.ts`). */
const owner = ['account_id', 'organization_id'];
const measures = ['line_items', 'billed', 'effective', 'list', 'contracted'];

export const factColumns: readonly string[] = [
  ...owner,
  'billing_period',
  'charge_date',
  'provider',
  'currency',
  'charge_category',
  'charge_class',
  'pricing_kind',
  'service_id',
  'region_id',
  'sub_account_id',
  'resource_id',
  'sku_id',
  'commitment_id',
  'tag_set_id',
  ...measures,
  'pricing_quantity',
  'consumed_quantity',
  'start_hours',
];

export const rollupColumns: readonly string[] = [
  ...owner,
  'billing_period',
  'rollup',
  'grain',
  'date',
  'provider',
  'currency',
  'charge_category',
  'pricing_kind',
  'service_id',
  'region_id',
  'sub_account_id',
  'tag_set_id',
  ...measures,
];

export const periodKeyColumns: readonly string[] = [...owner, 'period', 'id', 'key', 'value_count', 'rolled_up'];

interface Dictionary {
  columns: readonly string[];
  primaryKey: readonly string[];
  /** What the id is made of: two entries with one id must not differ in it. */
  key: readonly string[];
  /** What a newer bill changes of an entry. */
  onConflict: string;
}

const byId = ['account_id', 'id'];

/** Update of descriptive columns, only where a bill says something new. */
function renames(table: string, columns: readonly string[]): string {
  const set = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const changed = columns.map((column) => `${table}.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ');
  return `DO UPDATE SET ${set} WHERE ${changed}`;
}

/** The dictionaries, which only grow: an entry that no charge names any more harms nothing. */
export const dictionaries = {
  services: {
    columns: [...owner, 'id', 'provider', 'name', 'category'],
    primaryKey: byId,
    key: ['provider', 'name', 'category'],
    onConflict: 'DO NOTHING',
  },
  regions: {
    columns: [...owner, 'id', 'provider', 'code', 'name'],
    primaryKey: byId,
    key: ['provider', 'code'],
    onConflict: renames('regions', ['name']),
  },
  sub_accounts: {
    columns: [...owner, 'id', 'provider', 'code', 'name', 'billing_account_id'],
    primaryKey: byId,
    key: ['provider', 'code'],
    onConflict: renames('sub_accounts', ['name', 'billing_account_id']),
  },
  skus: {
    columns: [...owner, 'id', 'sku_id', 'sku_price_id', 'meter', 'description', 'pricing_unit', 'consumed_unit'],
    primaryKey: byId,
    key: ['sku_id', 'sku_price_id', 'meter', 'pricing_unit', 'consumed_unit'],
    onConflict: 'DO NOTHING',
  },
  commitments: {
    columns: [...owner, 'id', 'provider', 'code', 'name', 'category', 'type'],
    primaryKey: byId,
    key: ['provider', 'code'],
    onConflict: renames('commitments', ['name', 'category', 'type']),
  },
  resources: {
    columns: [...owner, 'id', 'provider', 'native_id', 'name', 'resource_type', 'first_seen', 'last_seen'],
    primaryKey: byId,
    key: ['provider', 'native_id'],
    onConflict: `DO UPDATE SET first_seen = least(resources.first_seen, excluded.first_seen), last_seen = greatest(resources.last_seen, excluded.last_seen),
      name = CASE WHEN excluded.last_seen >= resources.last_seen AND excluded.name <> '' THEN excluded.name ELSE resources.name END,
      resource_type = CASE WHEN excluded.last_seen >= resources.last_seen AND excluded.resource_type <> '' THEN excluded.resource_type ELSE resources.resource_type END`,
  },
  tag_sets: {
    columns: [...owner, 'id', 'tags'],
    primaryKey: byId,
    key: ['tags'],
    onConflict: 'DO NOTHING',
  },
  tag_pairs: {
    columns: [...owner, 'tag_set_id', 'key_id', 'value_id'],
    primaryKey: ['account_id', 'tag_set_id', 'key_id'],
    key: [],
    onConflict: 'DO NOTHING',
  },
  tag_values: {
    columns: [...owner, 'id', 'value'],
    primaryKey: byId,
    key: ['value'],
    onConflict: 'DO NOTHING',
  },
} as const satisfies Record<string, Dictionary>;

export type DictionaryTable = keyof typeof dictionaries;
