import { z } from 'zod';
import { MAX_HITS, SearchHit } from '../entities/search.ts';
import { IdText, text } from '../fields.ts';
import { route, signedIn } from '../route.ts';

export const search = route({
  method: 'GET',
  path: '/search',
  permission: signedIn,
  query: z.object({
    q: text(100)
      .overwrite((typed) => typed.normalize())
      .default('')
      .describe('Parts of a name, case-insensitive, or the number of a task. An empty text finds nothing.'),
    project_id: IdText.optional().describe('Id of the project whose objects come first.'),
  }),
  status: 200,
  answer: z.array(SearchHit),
  doc: `Finds objects by name in the projects of the caller, and tasks by number, template and message. At most ${MAX_HITS} of each kind. Messages are searched in the newest 20,000 tasks.`,
});
