/** A column in a BigQuery schema. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly fields?: readonly Field[];
}

/** A column of type STRING by default. */
export function column(name: string, type = 'STRING'): Field {
  return { name, type };
}

/** A structure. */
export function record(name: string, fields: readonly Field[]): Field {
  return { name, type: 'RECORD', fields };
}

/** A list of structures. */
export function repeated(name: string, fields: readonly Field[]): Field {
  return { name, type: 'RECORD', mode: 'REPEATED', fields };
}

/** The columns of Google's detailed usage cost export, documented as of 2026. */
export const detailedFields: readonly Field[] = [
  column('billing_account_id'),
  record('service', [column('id'), column('description')]),
  record('sku', [column('id'), column('description')]),
  column('usage_start_time', 'TIMESTAMP'),
  column('usage_end_time', 'TIMESTAMP'),
  record('project', [
    column('id'),
    column('number'),
    column('name'),
    repeated('labels', [column('key'), column('value')]),
    column('ancestry_numbers'),
  ]),
  repeated('labels', [column('key'), column('value')]),
  repeated('system_labels', [column('key'), column('value')]),
  record('location', [column('location'), column('country'), column('region'), column('zone')]),
  column('export_time', 'TIMESTAMP'),
  column('cost', 'FLOAT'),
  column('currency'),
  column('currency_conversion_rate', 'FLOAT'),
  record('usage', [
    column('amount', 'FLOAT'),
    column('unit'),
    column('amount_in_pricing_units', 'FLOAT'),
    column('pricing_unit'),
  ]),
  repeated('credits', [column('name'), column('amount', 'FLOAT'), column('full_name'), column('id'), column('type')]),
  record('invoice', [column('month')]),
  column('cost_type'),
  record('adjustment_info', [column('id'), column('description'), column('mode'), column('type')]),
  repeated('tags', [column('key'), column('value'), column('inherited', 'BOOLEAN'), column('namespace')]),
  column('cost_at_list', 'FLOAT'),
  record('consumption_model', [column('id'), column('description')]),
  record('subscription', [column('instance_id')]),
  record('resource', [column('name'), column('global_name')]),
];

/** The DuckDB type of a column. */
export function typeOf({ type, mode, fields = [] }: Field): string {
  const one =
    type === 'RECORD' && fields.length > 0
      ? `STRUCT(${fields.map((field) => `"${field.name}" ${typeOf(field)}`).join(', ')})`
      : scalars[type];
  if (one === undefined) throw new Error(`Unknown type ${type}`);
  return mode === 'REPEATED' ? `${one}[]` : one;
}

const scalars: Readonly<Record<string, string>> = {
  // A structure with undocumented fields.
  RECORD: 'VARCHAR',
  STRING: 'VARCHAR',
  NUMERIC: 'DECIMAL(38,18)',
  FLOAT: 'DOUBLE',
  TIMESTAMP: 'TIMESTAMP',
  BOOLEAN: 'BOOLEAN',
  INTEGER: 'BIGINT',
  DATE: 'DATE',
};

/** The schema of rows for `from_json`. */
export function structureOf(fields: readonly Field[]): unknown {
  return Object.fromEntries(
    fields.map((field) => {
      const one = field.type === 'RECORD' && field.fields?.length ? structureOf(field.fields) : scalars[field.type];
      return [field.name, field.mode === 'REPEATED' ? [one] : one];
    }),
  );
}

interface Cell {
  readonly v: unknown;
}

/** Converts a row of BigQuery's REST API (`f` of the row) to an object. */
export function rowOf(fields: readonly Field[], cells: readonly Cell[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field, index) => [field.name, valueOf(field, cells[index]?.v)]));
}

function valueOf(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (field.mode === 'REPEATED')
    return (value as Cell[]).map((each) => valueOf({ ...field, mode: 'NULLABLE' }, each.v));
  if (field.type === 'RECORD') return rowOf(field.fields ?? [], (value as { f: Cell[] }).f);
  return field.type === 'TIMESTAMP' ? instantOf(BigInt(String(value))) : value;
}

/** Exact microseconds since 1970. */
function instantOf(micros: bigint): string {
  const instant = new Date(Number(micros / 1000n)).toISOString();
  return instant.replace('Z', String(micros % 1000n).padStart(3, '0'));
}
