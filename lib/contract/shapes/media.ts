import { z } from 'zod';

export const media = z
  .object({
    hash: z.string().meta({ description: 'SHA-256 of what was uploaded, in hexadecimal digits.' }),
    width: z.int().meta({ description: 'Of the largest file, in pixels.' }),
    height: z.int(),
    url: z.string().meta({ description: 'The picture, at most 640 pixels wide, for `imageUrl`.' }),
  })
  .meta({ id: 'Media' });

export type Media = z.output<typeof media>;
