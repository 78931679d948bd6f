import { invalid } from '../../kit/errors.ts';
import type { GcpSettings } from '../spec.ts';

/** Where the export is. Each part is fit to stand in a query and in a path. */
export interface DatasetRef {
  readonly project: string;
  readonly dataset: string;
}

export interface TableRef extends DatasetRef {
  readonly table: string;
}

// https://cloud.google.com/resource-manager/docs/creating-managing-projects: also `example.com:project`.
const projectId = /^([a-z0-9][a-z0-9.-]{0,62}:)?[a-z][a-z0-9-]{4,61}[a-z0-9]$/;
const datasetId = /^\w{1,1024}$/;
// Google allows more in names of tables, but names no export so.
const tableId = /^\w{1,1024}$/;
const location = /^[A-Za-z][A-Za-z0-9-]{1,39}$/;
const scope = /^(projects\/([a-z0-9.]+:)?[a-z0-9-]{1,63}|folders\/\d{1,20}|organizations\/\d{1,20})$/;

/** The dataset that the settings name.
 *  @throws {AppError} VALIDATION_ERROR naming the setting that cannot be used */
export function datasetOf(settings: GcpSettings): DatasetRef {
  check('billing_project', settings.billingProject, projectId, 'the id of a project');
  check('location', settings.location, location, 'a location of BigQuery, such as EU, US or europe-west3');
  if (settings.table !== null) check('table', settings.table, tableId, 'the name of a table');
  for (const each of settings.scopes)
    check('scopes', each, scope, 'projects/ID, folders/NUMBER or organizations/NUMBER');
  const dot = settings.dataset.lastIndexOf('.');
  const project = dot < 0 ? settings.billingProject : settings.dataset.slice(0, dot);
  const dataset = settings.dataset.slice(dot + 1);
  check('dataset', project, projectId, 'DATASET or PROJECT.DATASET');
  check('dataset', dataset, datasetId, 'DATASET or PROJECT.DATASET');
  return { project, dataset };
}

function check(setting: string, value: string, pattern: RegExp, expected: string): void {
  if (!pattern.test(value)) throw invalid(`settings.${setting}: ${JSON.stringify(value)} is not ${expected}`);
}

/** How messages call a table. */
export function nameOf({ project, dataset, table }: TableRef): string {
  return `${project}.${dataset}.${table}`;
}

/** What a table is of: the billing account at the end of the names that Google gives, else the table itself. */
export function billingAccountOf(ref: TableRef): string {
  const [, a, b, c] =
    /^gcp_billing_export_(?:resource_v1|v1|focus)_([0-9A-F]{6})_([0-9A-F]{6})_([0-9A-F]{6})$/i.exec(ref.table) ?? [];
  return a === undefined ? nameOf(ref) : `${a}-${b}-${c}`.toUpperCase();
}
