beforeEach(() => {
  cy.task<string>('sandbox').then(url => {
    cy.intercept('**/rest/**', request => {
      const { pathname, search } = new URL(request.url);
      request.url = `${url}${pathname}${search}`;
    });
  });
  cy.visit('app.html');
});

it('adds a user to the customers', () => {
  cy.get('#user').type('alice');
  cy.get('#add').click();
  cy.get('output').should('have.text', 'Added');
  cy.task('world').its('groups.customers').should('deep.equal', ['alice']);
});

it('shows that an unknown user is refused', () => {
  cy.get('#user').type('bob');
  cy.get('#add').click();
  cy.get('output').should('have.text', 'Refused: 404');
});
