import { z } from 'zod';

type WithoutDefaults<F> = { [N in keyof F]: F[N] extends z.ZodDefault<infer Inner> ? Inner : F[N] };

/** Returns the same fields without defaults, so that each must be given. */
export const withoutDefaults = <F extends Record<string, z.ZodType>>(fields: F): WithoutDefaults<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field instanceof z.ZodDefault ? field.unwrap() : field,
    ]),
  ) as WithoutDefaults<F>;
