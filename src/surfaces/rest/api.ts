import type { GraphQLSchema } from 'graphql';
import { openApiDocument, type OpenApiDocument } from '../openapi/document.ts';
import { operationsOf, type Operation } from './sofa/operations.ts';
import { shapeOf, type Shape } from './sofa/shape.ts';
import { sofaOf, type Sofa } from './sofa/sofa.ts';

/** The REST API derived from a schema: everything that does not depend on a request. */
export interface RestApi {
  readonly shape: Shape;
  readonly operations: readonly Operation[];
  readonly sofa: Sofa;
  readonly document: OpenApiDocument;
}

/** Derives the REST API. @throws {Error} if it is inconsistent, so that the server does not start */
export function restApiOf(schema: GraphQLSchema): RestApi {
  const shape = shapeOf(schema);
  const operations = operationsOf(shape);
  const sofa = sofaOf(shape, operations);
  return { shape, operations, sofa, document: openApiDocument(operations, sofa.openAPIDocument) };
}
