import { identifier, literal } from '../../../../engine/sql.ts';
import type { Columns } from '../layout.ts';
import { instantText } from '../sql-values.ts';

/** What a day must look like. */
export const dayExpected = 'a day as MM/DD/YYYY or YYYY-MM-DD';

/** A day of cost details, as SQL; null where it is none. Months come first whatever the language: `09/30/2023`. */
export function day(columns: Columns, key: string): string {
  const column = columns.get(key);
  if (!column) return 'NULL::TIMESTAMP';
  const value = identifier(column.name);
  if (column.type.startsWith('TIMESTAMP') || column.type === 'DATE') return `${value}::TIMESTAMP`;
  const text = `nullif(${value}::VARCHAR, '')`;
  return `CASE WHEN contains(${text}, '/') THEN try_strptime(split_part(${text}, ' ', 1), '%m/%d/%Y')
    WHEN regexp_matches(${text}, '^\\d{8}$') THEN try_strptime(${text}, '%Y%m%d') ELSE ${instantText(text)} END`;
}

/** Regions that older bills call by country first, and by how people say them. */
const regions: Readonly<Record<string, readonly string[]>> = {
  eastus: ['useast'],
  eastus2: ['useast2'],
  centralus: ['uscentral'],
  westus: ['uswest'],
  westus2: ['uswest2'],
  westus3: ['uswest3'],
  northcentralus: ['usnorthcentral'],
  southcentralus: ['ussouthcentral'],
  westcentralus: ['uswestcentral'],
  westeurope: ['euwest'],
  northeurope: ['eunorth'],
  eastasia: ['apeast'],
  southeastasia: ['apsoutheast'],
  japaneast: ['jaeast'],
  japanwest: ['jawest'],
  australiaeast: ['aueast'],
  australiasoutheast: ['ausoutheast'],
  brazilsouth: ['brsouth'],
  centralindia: ['incentral', 'indiacentral'],
  southindia: ['insouth', 'indiasouth'],
  westindia: ['inwest', 'indiawest'],
  canadacentral: ['cacentral'],
  canadaeast: ['caeast'],
  koreacentral: ['krcentral'],
  koreasouth: ['krsouth'],
  francecentral: ['frcentral'],
  germanywestcentral: ['dewestcentral'],
  switzerlandnorth: ['chnorth'],
};
const nowhere = ['unassigned', 'global', 'intercontinental', 'unknown', 'allregions'];

/** FOCUS RegionId of a location, as SQL: `eastus2` of `US East 2` and of `EastUS2`; null where it is in no region. */
export function regionOf(location: string): string {
  const plain = `lower(regexp_replace(${location}, '[ _-]', '', 'g'))`;
  const cases = Object.entries(regions).map(
    ([id, names]) => `WHEN ${plain} IN (${names.map(literal).join(', ')}) THEN '${id}'`,
  );
  return `CASE WHEN ${plain} IN (${nowhere.map(literal).join(', ')}) THEN NULL ${cases.join(' ')} ELSE ${plain} END`;
}
