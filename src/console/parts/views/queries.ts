import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';

export const SavedViewsQuery = graphql(operations.savedViews, [graphql(operations.SavedViewFields)]);

const SavedViewQuery = graphql(operations.savedView, [graphql(operations.SavedViewFields)]);

export const CreateSavedView = graphql(operations.createSavedView);

export const UpdateSavedView = graphql(operations.updateSavedView);

export const DeleteSavedView = graphql(operations.deleteSavedView);

/** Dashboards with the views that they show. */
export const DashboardViews = graphql(`
  query DashboardViews($page: Int, $perPage: Int) {
    dashboards(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        name
        widgets {
          viewId
        }
      }
      pagination {
        totalPages
      }
    }
  }
`);

/** A saved view. */
export type SavedView = RecordOf<typeof SavedViewQuery>;

/** Console page with views. */
export type ViewPage = SavedView['page'];

/** Visibility of a view or dashboard. */
export type Visibility = SavedView['visibility'];
