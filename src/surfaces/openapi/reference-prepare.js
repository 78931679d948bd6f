// Loaded before Scalar. Its copy of zod would try `new Function`, which the policy of the page forbids and reports.
globalThis.__zod_globalConfig = { jitless: true };
