import type { Request as ExpressRequest, RequestHandler, Response as ExpressResponse } from 'express';
import { createRouter } from 'fets';
import { AppError, fix, message } from '../../../kit/errors/errors.ts';
import { answerOf, type Exchanged, type RestDeps } from '../answer.ts';
import type { Operation } from './operations.ts';
import { colonPath } from '../route.ts';
import type { Sofa } from './sofa.ts';

const root = '/api/v1';

/** Dot segments and backslashes: URL parsing makes another path of them than a proxy may have seen and allowed. */
const otherPath = /\\|\/(?:\.|%2e){1,2}(?=\/|$)/i;

/** Matches requests with Sofa's routes, puts the checks and representations of REST around Sofa's handlers, and sends what
 *  they answer. Passes on requests that match no route. */
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
          // What router.fetch is given below.
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

/** The refusal of a request that no route takes. */
export function noRoute(req: ExpressRequest): AppError {
  return new AppError(
    'NOT_FOUND',
    message`No route ${req.method} ${req.baseUrl}${req.path.slice(0, 200)}${fix}see /api/v1/docs`,
  );
}

/** Answers Sofa's routes for webhooks, which would let anyone make the server call any address. */
function refuse(_request: unknown, { req }: Exchanged): never {
  throw noRoute(req);
}

function keyOf({ method, path }: { readonly method?: string; readonly path: string }): string {
  return `${method} ${colonPath(path)}`;
}

/** Encodes the text once: Node would measure and write a string as UTF-8. */
async function send(response: Response, res: ExpressResponse): Promise<void> {
  response.headers.forEach((value, name) => res.setHeader(name, value));
  res.status(response.status).end(Buffer.from(await response.text()));
}
