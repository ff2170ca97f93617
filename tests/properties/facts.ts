// What the generated facts are, as the tests import it; the types are the generator's.
export type { ActionFacts, Facts, FieldFacts, ProjectFacts } from '../../generator/emit/test-facts.js';
