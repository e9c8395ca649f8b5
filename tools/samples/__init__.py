"""The bundled sample resumes: invented people, and one module per way of writing them down."""
