import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from 'express';
import { createRouter } from 'fets';
import { AppError, fix, message } from '../../../kit/errors/errors.ts';
import { answerOf, type Exchanged, type RestDeps } from '../answer.ts';
import type { Operation } from './operations.ts';
import { colonPath } from '../route.ts';
import type { Sofa } from './sofa.ts';

const root = '/api/v1';

/** Dot segments and backslashes: URL parsing would resolve them to a different path than a proxy has checked. */
const otherPath = /\\|\/(?:\.|%2e){1,2}(?=\/|$)/i;

/** Matches requests with Sofa's routes, wraps Sofa's handlers with REST's checks and representations, and sends the
 *  response. Passes on requests that match no route. */
export function sofaRouter(sofa: Sofa, operations: readonly Operation[], rest: RestDeps): RequestHandler {
  const byRoute = new Map(operations.map((operation) => [keyOf(operation.route), operation]));
  const router = createRouter<object>({
    base: root,
    landingPage: false,
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    onError: (error) => {
      throw error;
    },
    plugins: [
      {
        onRoute({ route }) {
          const operation = byRoute.get(keyOf(route));
          const answer = operation ? answerOf(operation, route.handler, rest) : refuse;
          // The context passed to router.fetch below.
          route.handler = async (request, context) => answer(request, context as Exchanged);
        },
      },
    ],
  }).use(sofa);
  return async (req, res, next) => {
    if (otherPath.test(req.path)) throw noRoute(req);
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const url = root + req.path.replace(/\/$/, '');
    const response: Response | undefined = await router.fetch(url, { method }, { req, res });
    return response ? send(response, res) : next();
  };
}

/** The error for a request without a matching route. */
export function noRoute(req: ExpressRequest): AppError {
  return new AppError(
    'NOT_FOUND',
    message`No route ${req.method} ${req.baseUrl}${req.path.slice(0, 200)}${fix}see /api/v1/docs`,
  );
}

/** Disables Sofa's webhook routes, which would let anyone make the server call any URL (SSRF). */
function refuse(_request: unknown, { req }: Exchanged): never {
  throw noRoute(req);
}

function keyOf({ method, path }: { readonly method?: string; readonly path: string }): string {
  return `${method} ${colonPath(path)}`;
}

/** Encodes the text once: for a string, Node would first measure and then encode it as UTF-8. */
async function send(response: Response, res: ExpressResponse): Promise<void> {
  response.headers.forEach((value, name) => res.setHeader(name, value));
  res.status(response.status).end(Buffer.from(await response.text()));
}
