// What the generated facts are, as the tests import it; the types are the generator's.
export type { ActionFacts, CatalogueFacts, Facts, FieldFacts, ProjectFacts } from '../../generator/emit/test-facts.js';
