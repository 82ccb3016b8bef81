"""The site's HTTP layer: endpoints, parameters, responses, pages, logins and the application."""
