import { fault } from './fault.ts';

export const redirect = fault({
  name: 'redirect',
  summary: 'a redirect to another origin, which records the headers it gets; @status=N, @to=second|own',
  rate: 0.02,
  keys: { status: 302, to: ['second', 'own'] },
  create: ({ status, to }, { secondOrigin }) => ({
    answer: async ({ target }) => {
      const followed = target.includes('redirected=1');
      if (to === 'own' && followed) return undefined;
      const location =
        to === 'own'
          ? `${target}${target.includes('?') ? '&' : '?'}redirected=1`
          : (await secondOrigin()) + target;
      return {
        status,
        headers: { location, 'content-type': 'text/html' },
        body: '<a href="">Object moved</a>',
      };
    },
  }),
});
