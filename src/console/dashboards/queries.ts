import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf, type VariablesOf } from '../api/graphql.ts';

export const DashboardsQuery = graphql(operations.dashboards, [graphql(operations.DashboardFields)]);

/** A dashboard with the saved views of its widgets; the view is null if it is deleted or not shared. */
export const DashboardQuery = graphql(`
  query DashboardWithViews($id: ID!) {
    dashboard(id: $id) {
      id
      name
      visibility
      createdById
      updatedAt
      widgets {
        id
        viewId
        query
        chart
        title
        x
        y
        w
        h
        view {
          id
          name
          query
        }
      }
    }
  }
`);

export const CreateDashboard = graphql(operations.createDashboard);

export const UpdateDashboard = graphql(operations.updateDashboard);

export const DeleteDashboard = graphql(operations.deleteDashboard);

export const UpdateDefaultDashboard = graphql(operations.updateDefaultDashboard);

export type Dashboard = RecordOf<typeof DashboardQuery>;

/** A dashboard in a list. */
export type DashboardRow = RecordOf<typeof DashboardsQuery>;

/** Costs on a dashboard. */
export type Widget = Dashboard['widgets'][number];

export type WidgetChart = Widget['chart'];

export type WidgetInput = NonNullable<NonNullable<VariablesOf<typeof UpdateDashboard>['input']['widgets']>[number]>;

const newPrefix = 'new-';

/** ID of a widget that is not stored yet.
 *  @param nth unique in its draft */
export function newWidgetId(nth: number): string {
  return `${newPrefix}${nth}-${Date.now()}`;
}

/** Returns a widget as the API accepts it: without its view, and without an ID if it is new. */
export function inputOf({ view: _view, id, ...widget }: Widget): WidgetInput {
  return id.startsWith(newPrefix) ? widget : { id, ...widget };
}
