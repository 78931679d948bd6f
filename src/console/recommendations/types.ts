import type { VariablesOf } from '../api/graphql.ts';
import {
  recommendationTypeName,
  recommendationTypeNames,
  recommendationTypeProvider,
} from '../../kit/text/recommendation-type.ts';
import { words } from '../words/format.ts';
import type { RecommendationsQuery } from './queries.ts';

/** Type of recommendation. */
export type RecommendationType = NonNullable<VariablesOf<typeof RecommendationsQuery>['type']>[number];

/** A type without a name fails to compile. */
const names: Readonly<Record<RecommendationType, string>> = recommendationTypeNames;

/** All types. */
export const recommendationTypes: readonly RecommendationType[] = Object.keys(names).filter(isType);

function isType(text: string): text is RecommendationType {
  return Object.hasOwn(names, text);
}

/** Label of a type, such as `Unattached EBS volume`. Accepts GraphQL and REST spelling; evidence uses the latter. */
export function typeName(type: string): string {
  return recommendationTypeName(type) ?? words(type);
}

/** Provider of a type; null if it applies to any. */
export function typeProvider(type: RecommendationType): string | null {
  return recommendationTypeProvider(type);
}

/** Type as spelled in URLs and REST. */
export function typeParameter(type: RecommendationType): string {
  return type.toLowerCase();
}
