import { arg, invalid } from '../../kit/errors.ts';
import type { Rule } from '../fields.ts';
import type { GcpSettings } from '../spec.ts';
import { gcpRules } from './input.ts';

/** Where the export is. Each part is fit to stand in a query and in a path. */
export interface DatasetRef {
  readonly project: string;
  readonly dataset: string;
}

export interface TableRef extends DatasetRef {
  readonly table: string;
}

/** The dataset that the settings name. They were looked at when the account was connected; here they are about to become part of
 *  a query and of paths.
 *  @throws {AppError} VALIDATION_ERROR naming the setting that cannot be used */
export function datasetOf(settings: GcpSettings): DatasetRef {
  check('billing_project', settings.billingProject, gcpRules.project);
  check('dataset', settings.dataset, gcpRules.dataset);
  check('location', settings.location, gcpRules.location);
  if (settings.table !== null) check('table', settings.table, gcpRules.table);
  for (const each of settings.scopes) check('scopes', each, gcpRules.scope);
  const dot = settings.dataset.lastIndexOf('.');
  return {
    project: dot < 0 ? settings.billingProject : settings.dataset.slice(0, dot),
    dataset: settings.dataset.slice(dot + 1),
  };
}

function check(setting: string, value: string, { pattern, says }: Rule): void {
  if (!pattern.test(value)) throw invalid`${arg(`settings.${setting}`, value)} cannot be used; it is ${says}`;
}

/** How messages call a table. */
export function nameOf({ project, dataset, table }: TableRef): string {
  return `${project}.${dataset}.${table}`;
}
