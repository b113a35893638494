import { type ProblemOptions, problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { answerChange } from './answer-change';
import type { EditSaleResult } from './edit-sale';
import type { FixedReason } from './sale-edits';

const WHY: Record<FixedReason, string> = {
  published: 'is fixed once the sale is published; end it and publish a new sale instead',
  own_way: 'is changed by an interface of its own',
  started: 'stays as the sale has started; pause the sale, or end it and publish a new one instead',
  only_later: 'may only become later than it is',
};

const NOT_FOUND = {
  product_not_found: { path: 'productId', message: 'there is no such product of yours' },
  picture_not_found: { path: 'variants', message: "each picture must be one of the product's own" },
};

/** Returns what a VALIDATION problem says of a new or changed sale that names something that is not there. */
export function saysNotFound(status: keyof typeof NOT_FOUND): ProblemOptions {
  const field = NOT_FOUND[status];
  return { detail: `${field.path}: ${field.message}`, extra: { fields: [field] } };
}

/** Makes the HTTP answer to an edit: the sale, 404, 422, or 409 with the reason against it. */
export function answerEdit(result: EditSaleResult): Response {
  switch (result.status) {
    case 'version_conflict': {
      const { version, current } = result;
      return problem('VERSION_CONFLICT', { extra: { version, current } });
    }
    case 'fixed':
      return problem('SALE_FIELD_FIXED', {
        detail: result.fields.map(({ path, reason }) => `${path}: ${WHY[reason]}`).join('; '),
        extra: { fields: result.fields.map((field) => ({ ...field, message: WHY[field.reason] })) },
      });
    case 'invalid':
      return validationProblem(result.error);
    case 'product_not_found':
    case 'picture_not_found':
      return problem('VALIDATION', saysNotFound(result.status));
    case 'campaign':
      return problem(result.code);
    case 'product_archived':
      return problem('PRODUCT_ARCHIVED');
    case 'over':
      return problem('SALE_STATE', { detail: 'The sale is over.', extra: { is: 'ended' } });
    default:
      return answerChange(result);
  }
}
