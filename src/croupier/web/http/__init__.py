"""How the site speaks HTTP: endpoints, parameters, answers, pages, logins, and the application."""
